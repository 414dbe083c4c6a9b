package dev.pinion.core.api;

import dev.pinion.core.api.filter.ScheduleFilter;
import dev.pinion.core.api.json.ScheduleJson;
import dev.pinion.core.api.port.KernelDispatcher;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.Payload;
import dev.pinion.core.peer.PeerRelay;
import dev.pinion.core.peer.PeerSchedules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One page of schedules: the first ones of every kernel of every replica, merged. */
final class ScheduleListOperation extends KernelRequest<Reply.SchedulePage> {
  private final ScheduleFilter filter;
  private final PeerSchedules peers;
  private final List<Payload> found = new ArrayList<>();
  private final List<Integer> missing = new ArrayList<>();
  private boolean moreElsewhere;
  private int parts;

  ScheduleListOperation(
      HttpExchange httpExchange,
      RequestContext context,
      ScheduleFilter filter,
      PeerSchedules peers) {
    super(httpExchange, context);
    this.filter = filter;
    this.peers = peers;
  }

  /**
   * Asks every kernel, and other replicas.
   *
   * @param others their slots
   */
  void ask(List<Integer> others) throws ProblemException {
    context().lists().acquire(exchange());
    KernelDispatcher kernels = context().kernels();
    parts = kernels.kernels() + others.size();
    await(0);
    Query.ListSchedules question =
        new Query.ListSchedules(
            filter.namespace(),
            filter.name(),
            filter.paused(),
            filter.after(),
            filter.limit() + 1,
            replyTo());
    if (!kernels.offerToAll(question)) {
      throw new ProblemException(Problem.overload("kernel.inboxCapacity"));
    }
    for (int slot : others) {
      peers.ask(exchange(), slot, PeerRelay.copy(exchange()), new PeerSchedulePart());
    }
  }

  private final class PeerSchedulePart implements PeerSchedules.SchedulePartListener {
    @Override
    public void found(Payload page) throws ProblemException {
      moreElsewhere |= ScheduleJson.hasMore(page);
      add(RequestJson.items(RequestJson.member(page, "items"), "schedules"));
    }

    @Override
    public void missing(int slot) throws ProblemException {
      missing.add(slot);
      add(List.of());
    }
  }

  @Override
  void onReply(Reply.SchedulePage reply) {
    add(reply.schedules().stream().map(ScheduleJson::of).toList());
  }

  private void add(List<Payload> schedules) {
    found.addAll(schedules);
    parts--;
    if (parts == 0) {
      found.sort(Comparator.comparing(ScheduleJson::name));
      boolean cut = found.size() > filter.limit();
      show(cut ? found.subList(0, filter.limit()) : found, cut || moreElsewhere);
    }
  }

  private void show(List<Payload> schedules, boolean more) {
    String next =
        more && !schedules.isEmpty()
            ? filter.cursorAfter(ScheduleJson.name(schedules.getLast()))
            : null;
    byte[] body = context().json().bytes(ScheduleJson.page(schedules, next, missing));
    Response response = Response.of(200, MediaTypes.JSON, body);
    if (next != null) {
      response.field("link", "</v1/schedules" + filter.nextQuery(next) + ">; rel=\"next\"");
    }
    exchange().respond(response);
  }
}
