package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.LoadRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * An engine that runs a workload, bound by its broker or with concrete services in its definition.
 * Every replica has one event loop, so that further CPUs of the machine are the broker's.
 */
public final class BrokerEngine {
  /** Id when no process is the broker. */
  static final long NO_BROKER = -1;

  private final Testbed testbed;
  private final ServerProcess process;
  private final Workload workload;
  private final long broker;

  private BrokerEngine(Testbed testbed, ServerProcess process, Workload workload, long broker) {
    this.testbed = testbed;
    this.process = process;
    this.workload = workload;
    this.broker = broker;
  }

  /** An engine without a broker, whose definition names concrete services. */
  public static BrokerEngine plain(Testbed testbed, String name, Workload workload)
      throws MeasurementException, InterruptedException {
    ServerProcess process = serve(testbed, name, 1, "off");
    testbed.deploy(process, workload.id(), workload.definition(testbed.stub().uri()));
    return new BrokerEngine(testbed, process, workload, NO_BROKER);
  }

  /**
   * An engine with a broker that has services, classes and contracts, and a plan in force in every
   * replica; all monitors are on. Where the engine has one CPU only, the broker's process is moved
   * to those of the load: it belongs on CPUs without a replica.
   *
   * @param replicas number of replicas
   */
  public static BrokerEngine brokered(Testbed testbed, String name, int replicas, Workload workload)
      throws MeasurementException, InterruptedException {
    ServerProcess process = serve(testbed, name, replicas, "on");
    BrokerRestClient broker = new BrokerRestClient(process);
    broker.register(workload, testbed.stub().uri());
    testbed.deploy(process, workload.id(), BrokerScenario.definition(workload));
    long pid = broker.pid();
    if (testbed.placement().engine().size() == 1) {
      testbed.placement().moveToLoad(pid);
    }
    return new BrokerEngine(testbed, process, workload, pid);
  }

  private static ServerProcess serve(Testbed testbed, String name, int replicas, String broker)
      throws MeasurementException, InterruptedException {
    List<String> options = new ArrayList<>();
    options.addAll(List.of("--replicas", Integer.toString(replicas)));
    options.addAll(List.of("--layout", "fused:1", "--broker", broker));
    return testbed.serve(name, options);
  }

  /**
   * The workload under a load. Users name their class, half of them each, also on an engine without
   * a broker: all engines receive the same requests.
   */
  public BrokerVariant under(String name, LoadSettings settings) {
    List<LoadRequest> starts = BrokerScenario.starts(process.uri(), workload);
    return new BrokerVariant(
        this, testbed.load(process, starts, Workload.CALLS, settings).under(name, settings), null);
  }

  /**
   * A process that asks a service for the endpoint of each call, under a load.
   *
   * @param bindings the service that it asks
   */
  public BrokerVariant withLookup(String name, BindingService bindings, LoadSettings settings)
      throws MeasurementException, InterruptedException {
    testbed.deploy(process, LookupWorkload.NAME, LookupWorkload.definition(bindings.uri()));
    return new BrokerVariant(
        this,
        testbed
            .load(process, LookupWorkload.starts(process.uri()), Workload.CALLS, settings)
            .under(name, settings),
        null);
  }

  ServerProcess process() {
    return process;
  }

  /** Process id of the broker; {@link #NO_BROKER} without one. */
  long broker() {
    return broker;
  }
}
