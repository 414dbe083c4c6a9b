package dev.pinion.core.limits;

/**
 * Bounds of one instance. An instance that reaches one faults with an error that names the limit.
 */
public record InstanceLimits(
    @Limit(value = 100_000, min = 1, max = Integer.MAX_VALUE, says = "tasks entered") int maxSteps,
    @Limit(value = 25_000, min = 1, max = Integer.MAX_VALUE, says = "events applied") int maxEvents,
    @Limit(value = 10_000, min = 1, max = 1_000_000, says = "branches or items of a parallel task")
        int maxFanOut,
    @Limit(
            value = 20_000,
            min = 1,
            max = 10_000_000,
            says = "tasks that run at one moment, containers included")
        int maxActivities,
    @Limit(value = 100_000, min = 1, max = Integer.MAX_VALUE, says = "items of a loop")
        int maxItems,
    @Limit(
            value = 4 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says = "size of a value that an expression makes, as compact JSON")
        int maxPayloadBytes,
    @Limit(
            value = 4 << 20,
            min = 16 << 10,
            max = Integer.MAX_VALUE,
            says =
                "approximate heap bytes of one error. All errors that an instance handles at one "
                    + "moment may take json.maxHeapBytes")
        int maxErrorBytes,
    @Limit(value = 3_660, min = 1, max = 36_600, says = "longest delay of a timer")
        int maxTimerDays,
    @Limit(
            value = 1_000,
            min = 1,
            max = 1_000_000,
            says =
                "requests that wait for the end of an instance; further ones are answered at once")
        int maxWaiters,
    @Limit(
            value = 16,
            min = 1,
            max = 1_000,
            says = "instances above a child; a task that would start one more fails")
        int maxNesting,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says =
                "tasks with a compensation that run, or can still be compensated; a further one "
                    + "fails when it begins")
        int maxCompensations) {}
