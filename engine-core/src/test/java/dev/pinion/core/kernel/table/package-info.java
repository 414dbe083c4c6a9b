/** Tests of {@code core.kernel.table}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.table;
