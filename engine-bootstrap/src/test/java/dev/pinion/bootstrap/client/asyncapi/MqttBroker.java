package dev.pinion.bootstrap.client.asyncapi;

/** A server of MQTT on loopback. */
interface MqttBroker extends AutoCloseable {
  int port();

  @Override
  void close();
}
