/** Tests of {@code core.openapi}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.openapi;
