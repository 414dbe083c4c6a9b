/** Tests of the model. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.model;
