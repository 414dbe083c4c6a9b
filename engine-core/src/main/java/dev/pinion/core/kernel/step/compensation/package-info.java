/** Completed tasks of an instance that can be compensated, by the scopes in which they are. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.step.compensation;
