/** Tests of {@code core.http}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.http;
