package dev.pinion.bootstrap.serve;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Two replicas; the parent hands connections over. */
@EnabledOnOs(OS.LINUX)
class HandoverRestTest extends RestSuite {
  @Override
  String[] options() {
    return new String[] {"--replicas", "2", "--dispatch", "handover"};
  }
}
