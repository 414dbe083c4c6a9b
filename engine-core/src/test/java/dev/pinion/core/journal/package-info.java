/** Tests of how events are recorded. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.journal;
