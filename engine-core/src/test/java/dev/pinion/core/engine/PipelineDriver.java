package dev.pinion.core.engine;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceView;
import java.io.IOException;
import java.util.List;

/** Runs definitions through the whole pipeline, with any driver. */
interface PipelineDriver extends AutoCloseable {
  /** Placeholder in definitions for the address of the services. */
  String SERVICES = "http://services.test";

  /** A way to drive the pipeline. */
  enum Kind {
    FUSED_1,
    FUSED_2,
    PIPELINED_1_1_1,
    /** Loops that share CPUs, as where there are fewer CPUs than loops. */
    PIPELINED_2_2_2,
    FUSED_NIO,
    BY_HAND;

    PipelineDriver open(EngineLimits limits) throws IOException {
      return switch (this) {
        case FUSED_1 -> EngineDriver.open("fused:1", Transport.best(), IdleStrategy.PARK, limits);
        case FUSED_2 -> EngineDriver.open("fused:2", Transport.best(), IdleStrategy.PARK, limits);
        case PIPELINED_1_1_1 ->
            EngineDriver.open("pipelined:1+1+1", Transport.best(), IdleStrategy.PARK, limits);
        case PIPELINED_2_2_2 ->
            EngineDriver.open("pipelined:2+2+2", Transport.best(), IdleStrategy.SHARE, limits);
        case FUSED_NIO -> EngineDriver.open("fused:1", Transport.nio(), IdleStrategy.PARK, limits);
        case BY_HAND -> new ManualDriver(limits);
      };
    }
  }

  /**
   * Deploys a definition, starts it and returns its end. Calls of {@link #SERVICES} go to the
   * service.
   */
  InstanceView run(String yaml, Payload input, TestService testService) throws Exception;

  /** Names of the tasks that the last instance entered, in order. */
  List<String> entered();

  @Override
  void close();
}
