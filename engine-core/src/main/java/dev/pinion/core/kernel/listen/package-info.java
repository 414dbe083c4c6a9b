/**
 * The index of what instances listen to, and the search for those that an event concerns. Kernel
 * thread only, except where stated.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.listen;
