package dev.pinion.bootstrap.serve;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Two replicas; starts go to them in turn. */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class RoundRobinRestTest extends RestSuite {
  @Override
  String[] options() {
    return new String[] {"--replicas", "2", "--dispatch", "round-robin"};
  }
}
