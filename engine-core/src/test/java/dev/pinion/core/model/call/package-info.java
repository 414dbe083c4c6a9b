/** Tests of calls as values. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.model.call;
