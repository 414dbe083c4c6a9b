package dev.pinion.bootstrap.serve;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Two replicas that listen on the same port. */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class ReusePortRestTest extends RestSuite {
  @Override
  String[] options() {
    return new String[] {"--replicas", "2", "--dispatch", "reuseport"};
  }
}
