package dev.pinion.core.api;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Payload;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.peer.DefinitionReplication.ReplicationListener;
import dev.pinion.core.peer.PeerRelay;
import dev.pinion.core.peer.PeerSchedules;

/**
 * Waits until a schedule of events has begun, so that it hears whatever a client posts after the
 * answer. A schedule that finds no room, or whose replica does not answer, begins later. Event loop
 * only.
 */
final class ScheduleBeginning {
  private final RequestContext context;
  private final ReplicaGroup replicas;
  private final PeerSchedules peers;

  ScheduleBeginning(RequestContext context) {
    this.context = context;
    this.replicas = context.ports().peers().group();
    this.peers = new PeerSchedules(new PeerRelay(context.ports().peers().client()), context.json());
  }

  /** Waits for the schedule of a definition, then continues; at once when it has none of events. */
  void await(HttpExchange httpExchange, DeployedDefinition definition, ReplicationListener then)
      throws ProblemException {
    if (httpExchange.fromPeer() || !followsEvents(definition)) {
      then.proceed();
      return;
    }
    DefinitionName name = DefinitionName.of(definition.key());
    int owner = replicas.owner(name.partition());
    if (owner == replicas.slot()) {
      new KernelLook(httpExchange, context, then).ask(name);
    } else {
      peers.look(httpExchange, owner, name, then);
    }
  }

  private static boolean followsEvents(DeployedDefinition definition) {
    Payload schedule = definition.document().member("schedule");
    return schedule != null && schedule.member("on") != null;
  }

  /** A look at the schedule, before which the kernel begins what is to begin. */
  private static final class KernelLook extends KernelRequest<Reply.ScheduleReply> {
    private final ReplicationListener then;

    KernelLook(HttpExchange httpExchange, RequestContext context, ReplicationListener then) {
      super(httpExchange, context);
      this.then = then;
    }

    void ask(DefinitionName name) throws ProblemException {
      await(0);
      if (!context().kernels().offer(new Query.GetSchedule(name, replyTo()))) {
        then.proceed();
      }
    }

    @Override
    void onReply(Reply.ScheduleReply reply) throws ProblemException {
      then.proceed();
    }
  }
}
