/** The process graph: the frozen, checked form of a definition, which the kernel runs. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.ir;
