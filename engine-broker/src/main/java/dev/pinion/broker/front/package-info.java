/**
 * The front-end of the broker: services are registered here, contracts decided about, and plans
 * made and published, one change after the other ({@link dev.pinion.broker.front.FrontDesk}).
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.front;
