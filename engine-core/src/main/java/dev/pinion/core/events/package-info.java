/**
 * CloudEvents between their log and the kernels whose instances listen: reading, feeding, keeping.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.events;
