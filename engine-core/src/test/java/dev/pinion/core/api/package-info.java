/** Tests of {@code core.api}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.api;
