/*
 * A thermostat with hysteresis: it heats below 18.0 degrees and stops above
 * 21.0, in tenths of a degree. The room must get comfortable, but never hotter
 * than 25.0 nor colder than 16.0.
 *
 *     faultline explain examples/thermostat.c
 */
#include <assert.h>
#include <stdbool.h>

#define TOO_COLD 180
#define WARM_ENOUGH 2100 // fault: wrong constant, tenths of a degree: 210
#define COMFORTABLE 200
#define TOO_HOT 250
#define FREEZING 160

static bool heats;

static void control(int temperature)
{
    if (temperature < TOO_COLD)
        heats = true;
    else if (temperature > WARM_ENOUGH)
        heats = false;
}

int main(void)
{
    int temperature = 170, warmest = 0;
    for (int minute = 0; minute < 60; minute++) {
        control(temperature);
        temperature += heats ? 4 : -2;
        assert(temperature <= TOO_HOT && temperature >= FREEZING);
        if (temperature > warmest)
            warmest = temperature;
    }
    assert(warmest >= COMFORTABLE);
    return 0;
}
