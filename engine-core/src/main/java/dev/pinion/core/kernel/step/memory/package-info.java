/** Where a kernel keeps the values of its instances, and how large these may be. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.step.memory;
