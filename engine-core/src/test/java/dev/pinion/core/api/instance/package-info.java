/** Tests of {@code core.api.instance}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.api.instance;
