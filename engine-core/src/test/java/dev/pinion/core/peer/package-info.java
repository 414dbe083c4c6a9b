/** Tests of {@code core.peer}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.peer;
