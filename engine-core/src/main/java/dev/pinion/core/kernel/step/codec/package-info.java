/** Values that the states of instances are made of, as bytes, and what a state refers to. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.step.codec;
