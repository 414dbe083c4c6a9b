package dev.pinion.core.limits;

/** Bounds of schedules, and of starts at a given time. */
public record ScheduleLimits(
    @Limit(
            value = 10,
            min = 1,
            max = 86_400_000,
            says =
                "least time from one run of a schedule to the next; a definition with a shorter "
                    + "one is refused. Checked when it is deployed")
        int minIntervalMillis,
    @Limit(
            value = 10_000,
            min = 0,
            max = 1_000_000,
            says =
                "schedules, one for each name of a definition; a definition with a further one is "
                    + "answered 503. Checked when it is deployed")
        int maxSchedules,
    @Limit(
            value = 1,
            min = 1,
            max = 1_000,
            says =
                "runs of one schedule that wait for the end of another one (overlap: queue); "
                    + "further ones are skipped")
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
            says = "seconds that startAt of a start may lie in the past; more is answered 400")
        int maxPastSeconds) {}
