/** Tests of {@code core.request}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.request;
