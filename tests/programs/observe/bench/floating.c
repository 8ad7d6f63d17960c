/* Floating point in arrays: a product of matrices, bodies that attract each other, a transform, a relaxed grid. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 48, BODIES = 40, STEPS = 12, LENGTH = 4096, GRID = 96 };

static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
static struct body {
    double place[3], speed[3], mass;
} bodies[BODIES];
static double real[LENGTH], imaginary[LENGTH];
static float grid[GRID][GRID], relaxed[GRID][GRID];

static double multiply(void)
{
    double trace = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            double sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += left[i][k] * right[k][j];
            product[i][j] = sum;
        }
    for (int i = 0; i < SIDE; i++)
        trace += product[i][i];
    return trace;
}

static void move_bodies(double step)
{
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            double between[3], square = 0.01;
            for (int k = 0; k < 3; k++) {
                between[k] = bodies[i].place[k] - bodies[j].place[k];
                square += between[k] * between[k];
            }
            double pull = step / (square * sqrt(square));
            for (int k = 0; k < 3; k++) {
                bodies[i].speed[k] -= between[k] * bodies[j].mass * pull;
                bodies[j].speed[k] += between[k] * bodies[i].mass * pull;
            }
        }
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++)
            bodies[i].place[k] += step * bodies[i].speed[k];
}

static void transform(void)
{
    for (int i = 1, j = 0; i < LENGTH; i++) {
        int bit = LENGTH >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double other = real[i];
            real[i] = real[j];
            real[j] = other;
        }
    }
    for (int length = 2; length <= LENGTH; length *= 2) {
        double angle = 6.283185307179586 / length, by_real = cos(angle), by_imaginary = sin(angle);
        for (int i = 0; i < LENGTH; i += length) {
            double turn_real = 1, turn_imaginary = 0;
            for (int j = i; j < i + length / 2; j++) {
                int k = j + length / 2;
                double x = real[k] * turn_real - imaginary[k] * turn_imaginary;
                double y = real[k] * turn_imaginary + imaginary[k] * turn_real;
                real[k] = real[j] - x;
                imaginary[k] = imaginary[j] - y;
                real[j] += x;
                imaginary[j] += y;
                double next = turn_real * by_real - turn_imaginary * by_imaginary;
                turn_imaginary = turn_real * by_imaginary + turn_imaginary * by_real;
                turn_real = next;
            }
        }
    }
}

static void relax(void)
{
    for (int i = 1; i < GRID - 1; i++)
        for (int j = 1; j < GRID - 1; j++)
            relaxed[i][j] = 0.25f * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
    for (int i = 1; i < GRID - 1; i++)
        for (int j = 1; j < GRID - 1; j++)
            grid[i][j] = relaxed[i][j];
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    double sum = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            left[i][j] = 1.0 / (i + j + 1);
            right[i][j] = (i * 7 + j * 3) % 11;
        }
    for (int i = 0; i < BODIES; i++) {
        bodies[i].mass = 1 + i % 3;
        for (int k = 0; k < 3; k++)
            bodies[i].place[k] = (i * (k + 3) * 37 % 101) * 0.1;
    }
    for (int round = 0; round < rounds; round++) {
        sum += multiply();
        for (int step = 0; step < STEPS; step++)
            move_bodies(0.001);
        for (int i = 0; i < LENGTH; i++) {
            real[i] = (i * 13 + round) % 17;
            imaginary[i] = 0;
        }
        transform();
        sum += real[round % LENGTH];
        for (int i = 0; i < GRID; i++)
            grid[0][i] = grid[i][0] = (float)(i % 9);
        for (int step = 0; step < 8; step++)
            relax();
    }
    printf("%.6f %.6f %.6f\n", sum, bodies[0].place[0], (double)grid[GRID / 2][3]);
    return 0;
}
