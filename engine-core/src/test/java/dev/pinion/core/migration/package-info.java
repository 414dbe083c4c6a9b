/** Tests of {@code core.migration}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.migration;
