package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.ThreadMasks.ThreadMask;
import dev.pinion.bootstrap.protocol.HealthCheck;
import dev.pinion.bootstrap.protocol.Heartbeat;
import dev.pinion.bootstrap.protocol.JsonWriter;
import dev.pinion.bootstrap.supervise.BrokerSupervisor;
import dev.pinion.bootstrap.supervise.ReplicaStatus;
import dev.pinion.bootstrap.supervise.ReplicaStatus.LastExit;
import dev.pinion.bootstrap.supervise.RollingRestartStatus;
import dev.pinion.bootstrap.supervise.SupervisionEvents;
import dev.pinion.bootstrap.supervise.SupervisionEvents.Event;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The documents of the admin listener. */
final class AdminJson {
  private final JsonWriter json = new JsonWriter();

  private AdminJson() {}

  static JsonWriter replicas(List<ReplicaStatus> replicas, MachineStatus machine) {
    AdminJson document = new AdminJson();
    JsonWriter json = document.json;
    return json.object(
        () ->
            json.name("replicas")
                .array(
                    replicas,
                    (out, each) -> document.replica(each, machine.plan().get(each.index()))));
  }

  private void replica(ReplicaStatus replica, ReplicaSpec spec) {
    json.object(
        () -> {
          json.put("index", replica.index()).put("state", replica.state().name());
          json.name("pid").raw(replica.pid() < 0 ? "null" : Long.toString(replica.pid()));
          json.put("generation", replica.generation());
          json.put("cpus", spec.cpus().toString()).put("layout", spec.layout().toString());
          json.put("uptimeSeconds", replica.uptime().toSeconds());
          json.put("restarts", replica.restarts()).put("breaker", lower(replica.breaker()));
          lastExit(replica.lastExit());
          lastBeat(replica.lastBeat());
        });
  }

  private void lastExit(@Nullable LastExit exit) {
    json.name("lastExit");
    if (exit == null) {
      json.text(null);
      return;
    }
    json.object(
        () ->
            json.put("time", exit.time().toString())
                .put("status", exit.status())
                .put("text", exit.text()));
  }

  private void lastBeat(@Nullable Heartbeat heartbeat) {
    json.name("lastBeat");
    if (heartbeat == null) {
      json.text(null);
      return;
    }
    json.object(
        () ->
            json.put("delayMicros", heartbeat.delayMicros())
                .put("running", heartbeat.running())
                .put("connections", heartbeat.connections())
                .put("bindingVersion", heartbeat.bindingVersion())
                .put("diskFull", heartbeat.diskFull())
                .put("refusingLimit", heartbeat.refusingLimit()));
  }

  static JsonWriter topology(List<ReplicaStatus> replicas, MachineStatus machine) {
    AdminJson document = new AdminJson();
    JsonWriter json = document.json;
    return json.object(
        () ->
            json.name("machine")
                .raw(machine.json().get())
                .name("replicas")
                .array(replicas, (out, each) -> document.threads(each, machine)));
  }

  private void threads(ReplicaStatus replica, MachineStatus machine) {
    json.object(
        () -> {
          json.put("index", replica.index());
          List<ThreadMask> masks =
              replica.pid() < 0 ? List.of() : machine.threads(replica.index(), replica.pid());
          json.name("threads").array(masks, (out, mask) -> thread(mask));
        });
  }

  private void thread(ThreadMask mask) {
    json.object(
        () ->
            json.put("id", mask.tid())
                .put("name", mask.name())
                .put("planned", mask.expected().toString())
                .put("actual", mask.mask().toString())
                .put("asPlanned", mask.ok()));
  }

  static JsonWriter events(List<Event> events) {
    JsonWriter json = new JsonWriter();
    return json.object(() -> json.name("events").array(events, AdminJson::event));
  }

  private static void event(JsonWriter json, Event event) {
    json.object(
        () -> {
          json.put("number", event.number()).put("time", event.time().toString());
          json.put("kind", lower(event.kind())).name("replica");
          json.raw(
              event.replica() == SupervisionEvents.ALL
                  ? "null"
                  : Integer.toString(event.replica()));
          json.put("text", event.text());
        });
  }

  static void check(JsonWriter json, HealthCheck check) {
    json.object(
        () ->
            json.put("name", check.name())
                .put("ready", check.ready())
                .put("required", check.required())
                .put("detail", check.detail()));
  }

  static JsonWriter broker(BrokerSupervisor.BrokerStatus brokerStatus) {
    JsonWriter json = new JsonWriter();
    return json.object(
        () ->
            json.put("running", brokerStatus.pid() >= 0)
                .put("pid", brokerStatus.pid())
                .put("standby", brokerStatus.standby())
                .put("starts", brokerStatus.starts())
                .put("planVersion", brokerStatus.plan().version())
                .put("plan", brokerStatus.plan().state()));
  }

  static JsonWriter restart(RollingRestartStatus restart) {
    JsonWriter json = new JsonWriter();
    return json.object(
        () -> {
          json.put("number", restart.number()).put("time", restart.time().toString());
          json.put("state", lower(restart.state()));
          json.name("done").array(restart.done(), (out, index) -> out.raw(index.toString()));
          json.name("left").array(restart.left(), (out, index) -> out.raw(index.toString()));
          json.put("text", restart.text());
        });
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
