/** Whole-pipeline tests: the same tests in every layout and by hand. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.engine;
