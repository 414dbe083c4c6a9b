/** Tests of {@code broker.service}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.service;
