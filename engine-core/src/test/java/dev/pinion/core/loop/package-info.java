/** Tests of event loops. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.loop;
