/** Tests of what is known of an instance. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.model.instance;
