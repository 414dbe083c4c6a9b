/**
 * Transitions of instances: from an instance and an event to a changed instance and effects, and
 * its state as bytes. The only writer of the state of instances; parts of it have packages below.
 * Synchronous, without I/O, clock or chance: the same events give the same instance.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.step;
