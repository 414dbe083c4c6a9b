/** Tests of {@code handlers.plan}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.plan;
