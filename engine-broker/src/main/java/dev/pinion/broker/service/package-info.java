/** The broker as clients meet it: resources, registrar, planner, control loop. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.service;
