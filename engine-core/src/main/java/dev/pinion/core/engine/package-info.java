/** Composition: lays the stages on event loops and starts and stops them as one engine. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.engine;
