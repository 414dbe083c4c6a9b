/** Tests of {@code handlers.run}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.run;
