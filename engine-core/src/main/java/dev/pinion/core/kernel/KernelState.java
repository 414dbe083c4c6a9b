package dev.pinion.core.kernel;

import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.kernel.observation.HistoryEventProducer;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.kernel.table.Instances;
import dev.pinion.core.limits.EngineLimits;
import org.jspecify.annotations.Nullable;

/**
 * What a replay of the journal rebuilds of a kernel, and with what.
 *
 * @param instances the instances
 * @param graphs compiled definitions
 * @param router receiver of timers, and of what is under way at the end
 * @param memoryAccount charges of the instances
 * @param limits the bounds in force
 * @param memory where values are
 * @param observed told of everything that instances do; null for none
 */
public record KernelState(
    Instances instances,
    GraphSource graphs,
    EffectRouter router,
    MemoryAccount memoryAccount,
    EngineLimits limits,
    KernelMemory memory,
    @Nullable HistoryEventProducer observed) {}
