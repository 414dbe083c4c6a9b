/** Tests of {@code core.http.message}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.http.message;
