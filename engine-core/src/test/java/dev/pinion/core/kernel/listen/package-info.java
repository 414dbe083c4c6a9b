/** Tests of the comparison of events with listeners. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.listen;
