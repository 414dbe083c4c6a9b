/** Reports what instances do to an observer of the whole engine, such as the history. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.observation;
