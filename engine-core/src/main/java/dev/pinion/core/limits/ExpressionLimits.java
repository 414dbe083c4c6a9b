package dev.pinion.core.limits;

/** Bounds of one evaluation. */
public record ExpressionLimits(
    @Limit(
            value = 10_000,
            min = 100,
            max = 1_000_000,
            says = "steps on an event loop; a longer evaluation moves to another thread")
        int loopSteps,
    @Limit(
            value = 1_000_000,
            min = 100,
            max = Integer.MAX_VALUE,
            says = "steps on that thread; then the expression fails")
        int maxSteps,
    @Limit(
            value = 512,
            min = 16,
            max = 1_000,
            says = "nesting of calls and data; a level takes up to 1 KiB of a thread's stack")
        int maxDepth) {}
