package dev.pinion.core.limits;

/**
 * Bounds of one instance. An instance that reaches one faults with an error that names the limit.
 */
public record InstanceLimits(
    @Limit(value = 100_000, min = 1, max = Integer.MAX_VALUE, says = "tasks entered") int maxSteps,
    @Limit(value = 25_000, min = 1, max = Integer.MAX_VALUE, says = "events applied") int maxEvents,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says = "branches or items of one parallel task")
        int maxFanOut,
    @Limit(
            value = 20_000,
            min = 1,
            max = 10_000_000,
            says = "tasks that run at one moment, containers included")
        int maxActivities,
    @Limit(value = 100_000, min = 1, max = Integer.MAX_VALUE, says = "items of one loop")
        int maxItems,
    @Limit(
            value = 4 << 20,
            min = 1 << 10,
            max = 1 << 30,
            says = "size of one value that an expression makes, as compact JSON")
        int maxPayloadBytes,
    @Limit(
            value = 4 << 20,
            min = 16 << 10,
            max = Integer.MAX_VALUE,
            says =
                "approximate heap bytes of one error: raised by a task, or the reason of its "
                    + "failure. Errors that tries of the instance handle at one moment may together "
                    + "take json.maxHeapBytes")
        int maxErrorBytes,
    @Limit(value = 3_660, min = 1, max = 36_600, says = "longest delay of one timer")
        int maxTimerDays,
    @Limit(
            value = 1_000,
            min = 1,
            max = 1_000_000,
            says =
                "requests that wait for the end of one instance; a further one is answered at "
                    + "once")
        int maxWaiters,
    @Limit(
            value = 16,
            min = 1,
            max = 1_000,
            says =
                "instances above one that a task has started; a task that would start another "
                    + "one fails")
        int maxNesting,
    @Limit(
            value = 10_000,
            min = 1,
            max = 1_000_000,
            says =
                "tasks with a compensation that run, or have completed and can still be "
                    + "compensated; a further one fails when it begins")
        int maxCompensations) {}
