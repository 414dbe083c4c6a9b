package dev.pinion.core.limits;

/** Bounds of schedules, and of starts at a given time. */
public record ScheduleLimits(
    @Limit(
            value = 10,
            min = 1,
            max = 86_400_000,
            says =
                "least time between runs of a schedule; definitions with less are refused at "
                    + "deployment")
        int minIntervalMillis,
    @Limit(
            value = 10_000,
            min = 0,
            max = 1_000_000,
            says = "schedules, one for each name of a definition; deployment of a further one: 503")
        int maxSchedules,
    @Limit(
            value = 1,
            min = 1,
            max = 1_000,
            says =
                "runs of a schedule that wait for the end of another (overlap: queue); further "
                    + "ones are skipped")
        int maxQueued,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says =
                "events of one schedule (on) that wait for others, and as many that wait for "
                    + "their run; of more the oldest that lack others are given up, and the "
                    + "newest that are complete get no run")
        int maxEvents,
    @Limit(
            value = 86_400,
            min = 0,
            max = 31_622_400,
            says = "seconds that startAt may lie in the past; more: 400")
        int maxPastSeconds) {}
