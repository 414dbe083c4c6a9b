/** The compiled process, the only thing that the kernel runs, and its printed forms. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.graph;
