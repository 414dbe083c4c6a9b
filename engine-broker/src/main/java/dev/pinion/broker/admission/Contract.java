package dev.pinion.broker.admission;

import dev.pinion.broker.model.ServiceClass;

/**
 * What a user was promised.
 *
 * @param id its name, unique at a desk
 * @param serviceClass the class it is for; its rate is what this contract allows
 */
public record Contract(String id, ServiceClass serviceClass) {
  /** Requests/s that it allows. */
  public double rate() {
    return serviceClass.rate();
  }
}
