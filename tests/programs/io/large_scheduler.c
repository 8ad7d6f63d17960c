/* A priority scheduler simulation: processes with bursts, aging and a timeline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>

enum pstate { NEW, READY, RUNNING, BLOCKED, EXITED };
struct burst { short cpu, io; };
struct process {
    char name[8];
    int arrival, priority, nbursts, current;
    enum pstate state;
    struct burst burst[6];
    int left, wake, waited, finished, aged;
    struct process *next;
};
struct fifo { struct process *head, **tail; int length; };

enum { LEVELS = 4, QUANTUM = 3, AGE_LIMIT = 8 };
static struct process table[8];
static int nproc;
static struct fifo level[LEVELS];
static char timeline[128];

static void enqueue(struct process *p)
{
    struct fifo *f = &level[p->priority];
    p->state = READY;
    p->next = NULL;
    p->aged = 0;
    *f->tail = p;
    f->tail = &p->next;
    f->length++;
}
static struct process *dequeue(void)
{
    for (int l = 0; l < LEVELS; l++) {
        struct fifo *f = &level[l];
        struct process *p = f->head;
        if (!p)
            continue;
        f->head = p->next;
        if (!f->head)
            f->tail = &f->head;
        f->length--;
        return p;
    }
    return NULL;
}
static void age(void)
{
    for (int l = 1; l < LEVELS; l++) {
        struct fifo *f = &level[l];
        for (struct process **pp = &f->head; *pp;) {
            struct process *p = *pp;
            if (++p->aged < AGE_LIMIT) {
                pp = &p->next;
                continue;
            }
            *pp = p->next;
            if (f->tail == &p->next)
                f->tail = pp;
            f->length--;
            p->priority--;
            enqueue(p);
        }
    }
}
static bool parse(char *line)
{
    struct process *p = &table[nproc];
    int used;
    memset(p, 0, sizeof *p);
    if (sscanf(line, "%7s %d %d%n", p->name, &p->arrival, &p->priority, &used) != 3)
        return false;
    line += used;
    int cpu, io;
    while (p->nbursts < 6 && sscanf(line, " %d/%d%n", &cpu, &io, &used) == 2) {
        p->burst[p->nbursts++] = (struct burst){ (short)cpu, (short)io };
        line += used;
    }
    if (!p->nbursts || p->priority < 0 || p->priority >= LEVELS)
        return false;
    nproc++;
    return true;
}
int main(void)
{
    char line[80];
    int rejected = 0;
    for (int i = 0; i < LEVELS; i++)
        level[i].tail = &level[i].head;
    while (nproc < 8 && fgets(line, sizeof line, stdin))
        rejected += !parse(line);
    struct process *run = NULL;
    int slice = 0, alive = nproc, now = 0, idle = 0, switches = 0;
    for (; alive && now < (int)sizeof timeline - 1; now++) {
        for (int i = 0; i < nproc; i++) {
            struct process *p = &table[i];
            if (p->state == NEW && p->arrival <= now) {
                p->left = p->burst[0].cpu;
                enqueue(p);
            } else if (p->state == BLOCKED && p->wake <= now) {
                p->left = p->burst[p->current].cpu;
                enqueue(p);
            }
        }
        age();
        if (!run && (run = dequeue())) {
            run->state = RUNNING;
            slice = QUANTUM;
            switches++;
        }
        for (int i = 0; i < nproc; i++)
            table[i].waited += table[i].state == READY;
        if (!run) {
            timeline[now] = '.';
            idle++;
            continue;
        }
        timeline[now] = run->name[0];
        slice--;
        if (--run->left == 0) {
            int io = run->burst[run->current++].io;
            if (run->current == run->nbursts) {
                run->state = EXITED;
                run->finished = now + 1;
                alive--;
            } else {
                run->state = BLOCKED;
                run->wake = now + 1 + io;
                if (run->priority > 0)
                    run->priority--;
            }
            run = NULL;
        } else if (slice == 0) {
            if (run->priority < LEVELS - 1)
                run->priority++;
            enqueue(run);
            run = NULL;
        }
    }
    timeline[now] = 0;
    puts(timeline);
    printf("%-8s%8s%8s%8s%8s\n", "name", "arrive", "finish", "wait", "prio");
    double total = 0;
    for (int i = 0; i < nproc; i++) {
        struct process *p = &table[i];
        printf("%-8s%8d%8d%8d%8d\n", p->name, p->arrival, p->finished, p->waited, p->priority);
        total += p->finished - p->arrival;
    }
    printf("turnaround %.2f idle %d switches %d rejected %d\n", nproc ? total / nproc : 0.0, idle, switches, rejected);
    return rejected;
}
