package dev.pinion.core.kernel.output;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.spi.InstanceObserver;

/**
 * Where a kernel sends what its instances do.
 *
 * @param journal journal of the events
 * @param observer notified of what tasks do
 * @param lanes receivers of effects
 */
public record KernelOutputs(Journal journal, InstanceObserver observer, EffectLanes lanes) {}
