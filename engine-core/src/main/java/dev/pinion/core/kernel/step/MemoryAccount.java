package dev.pinion.core.kernel.step;

import dev.pinion.core.kernel.step.attempt.TryState;
import dev.pinion.core.kernel.step.compensation.Compensations;
import dev.pinion.core.kernel.step.compensation.CompletedTask;
import dev.pinion.core.kernel.step.compensation.PendingEnd;
import dev.pinion.core.kernel.step.memory.InstanceQuota;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallRequest;
import java.util.List;

/**
 * Account of the payloads that instances retain: each branch's current value and context, the items
 * and results of loops, what compensations will see, and each instance's input; for the heap only,
 * also the body of a call until it is sent, the error that a {@code try} handles, the one that an
 * instance will end with, and an instance's tags. A shared payload is charged to each of its
 * holders, with one exception, below.
 *
 * <p>There are two accounts. The one by {@link Payload#weight} is part of an instance's state,
 * since it determines when the instance is checked for room. The one by {@link Payload#heapBytes}
 * is the present use of the heap, packed or not, and determines the result of a check. In the
 * latter a large instance is charged once for what its parts share, as soon as its charge has
 * changed much. That examines all of its values, so within a turn an instance of many values is
 * charged anew only after enough room checks to pay for it, unless it is about to fault.
 */
public final class MemoryAccount {
  /** Heap bytes of an instance beside its values, including its table entries. */
  private static final int BYTES_OF_INSTANCE = 600;

  /** Heap bytes of an activity beside its values. */
  private static final int BYTES_OF_ACTIVITY = 250;

  /** Heap bytes of a completed task that can be compensated, beside its values. */
  private static final int BYTES_OF_COMPLETED = 160;

  /** Listener for instances that find no room. */
  public interface NoRoomListener {
    /** Handles that an instance found no room for what it holds, at a numbered check. */
    void foundNoRoom(Instance instance, int check);
  }

  private long bound;
  private final HeapAccount heap;
  private final HeapAccount.Share share;
  private final ValuePacking valuePacking;
  private final RoomCheck roomCheck;
  private long journalledBytes;

  /**
   * An empty account.
   *
   * @param bound total in bytes, named in errors
   * @param space where values are
   * @param noRoomListener records that an instance found no room: what the others held at that
   *     moment is not part of its events
   */
  public MemoryAccount(long bound, KernelMemory space, NoRoomListener noRoomListener) {
    this.bound = bound;
    this.heap = space.heap();
    this.share = heap.open();
    this.valuePacking = new ValuePacking(space, share);
    this.roomCheck = new RoomCheck(heap, share, valuePacking, noRoomListener);
  }

  /** The account of the replica that it is a share of. */
  public HeapAccount heap() {
    return heap;
  }

  /** Ends the account of a kernel that is not used any more. */
  public void close() {
    heap.close(share);
  }

  /** Packer of waiting values. */
  public ValuePacking packing() {
    return valuePacking;
  }

  /** Turns replay on or off; in a replay instances find no room where the journal says so. */
  public void replaying(boolean now) {
    roomCheck.replaying(now);
  }

  /** Whether events are replayed. */
  public boolean isReplaying() {
    return roomCheck.isReplaying();
  }

  /** Sets another bound, named in errors. */
  public void bound(long bytes) {
    bound = bytes;
  }

  /** The bound that follows from the limits. */
  public static long boundOf(EngineLimits limits) {
    return 2L * limits.kernel().maxHeldBytes();
  }

  /** Bytes of JSON of the instances that must survive a crash. */
  public long journalledBytes() {
    return journalledBytes;
  }

  /** Bytes of the heap that are charged here. */
  public long heapBytes() {
    return share.bytes();
  }

  /** Values examined so far to charge instances anew. */
  long looks() {
    return roomCheck.looks();
  }

  /** Charges a new instance. Its tags are never packed: lists are searched by them. */
  public void opened(Instance instance) {
    share.add(BYTES_OF_INSTANCE + instance.tags.heapBytes());
  }

  /** Charges a new activity. */
  void entered() {
    share.add(BYTES_OF_ACTIVITY);
  }

  /** Releases a removed activity. */
  void removed() {
    share.add(-BYTES_OF_ACTIVITY);
  }

  /** Releases everything that an instance is charged for; it ends or leaves this kernel. */
  public void closed(Instance instance) {
    valuePacking.forget(instance);
    hold(instance, -instance.heldBytes(), -instance.heapBytes);
    share.add(
        -BYTES_OF_INSTANCE
            - instance.tags.heapBytes()
            - (long) BYTES_OF_ACTIVITY * instance.activities()
            - bytesOfCompleted(instance));
  }

  /** Charges the input of a started instance. */
  void started(Instance instance) {
    hold(instance, instance.rawInput.weight(), instance.rawInput.heapBytes());
  }

  private void hold(Instance instance, long bytes, long heapBytes) {
    instance.hold(bytes);
    if (instance.durability == Durability.SYNC) {
      journalledBytes += bytes;
    }
    instance.heapBytes += heapBytes;
    share.add(heapBytes);
  }

  /**
   * Charges an instance that was read from its state. Heap bytes are not part of the state: they
   * are shared out over its parts by weight.
   */
  public void restored(Instance instance, long heldBytes) {
    share.add((long) BYTES_OF_ACTIVITY * instance.activities() + bytesOfCompleted(instance));
    double ratio = InstanceValues.heapRatio(instance);
    hold(instance, heldBytes, (long) (heldBytes * ratio));
    RoomCheck.shareOut(instance, ratio);
    instance.forEachActivity(this::settleError);
    chargePendingEnd(instance);
  }

  /**
   * Charges an activity for a value it keeps.
   *
   * @throws ExpressionException when there is no room
   */
  void charge(Activity activity, Payload value) {
    charge(activity, value.weight(), value.heapBytes());
  }

  /** Charges an activity for a value, without a check for room: {@link #requireRoom} follows. */
  void retain(Activity activity, Payload value) {
    addHeld(activity, value.weight(), value.heapBytes());
  }

  /** Stops charging an activity for a value. */
  void drop(Activity activity, Payload value) {
    addHeld(activity, -value.weight(), -value.heapBytes());
  }

  /** Charges the kernel for heap bytes of what its instances listen to, or releases them. */
  public void chargeListening(long heapBytes) {
    share.add(heapBytes);
  }

  private void addHeld(Activity activity, long bytes, long heapBytes) {
    activity.heldBytes += bytes;
    activity.heldHeapBytes += heapBytes;
    hold(activity.instance, bytes, heapBytes);
  }

  /**
   * Checks that there is room for what an instance holds.
   *
   * @throws ExpressionException when there is none
   */
  void requireRoom(Activity activity) {
    if (roomCheck.isFull(activity.instance)) {
      throw new ExpressionException(exceededError());
    }
  }

  /** Charges a branch for its new context instead of the old one. */
  void chargeContext(Branch branch, Instance instance) {
    Payload context = branch.context();
    long bytes = context.weight() - branch.heldContext;
    long heapBytes = context.heapBytes() - branch.heapContext;
    branch.heldContext += bytes;
    branch.heapContext += heapBytes;
    hold(instance, bytes, heapBytes);
  }

  /**
   * Charges an activity for items it keeps.
   *
   * @param weight weight of all items
   * @throws ExpressionException when there is no room
   */
  void charge(Activity activity, List<Payload> items, long weight) {
    charge(activity, weight, items.stream().mapToLong(Payload::heapBytes).sum());
  }

  /**
   * Stores the awaited call or child in an activity and charges it for the heap bytes of its
   * values. That charge is no part of the instance's state.
   */
  void chargeCall(Activity activity, CallRequest call) {
    releaseCall(activity);
    activity.call = call;
    activity.callHeap = call.heapBytes();
    hold(activity.instance, 0, activity.callHeap);
  }

  /** Stops charging an activity for its call; returns the heap bytes. */
  public long releaseCall(Activity activity) {
    long heapBytes = activity.callHeap;
    if (heapBytes != 0) {
      activity.callHeap = 0;
      hold(activity.instance, 0, -heapBytes);
    }
    return heapBytes;
  }

  /**
   * Charges a {@code try} for the heap bytes of its present attempt's error, replacing the charge
   * for an earlier one. That charge is no part of the instance's state. Room is not checked: the
   * number of checks is part of the state, and older journals have none here.
   */
  void settleError(Activity activity) {
    TryState tryState = activity.tryState;
    Payload error = tryState == null ? null : tryState.errorPayload();
    chargeError(activity, error == null ? 0 : error.heapBytes());
  }

  private void chargeError(Activity activity, long heapBytes) {
    long growth = heapBytes - activity.errorHeap;
    if (growth != 0) {
      activity.errorHeap = heapBytes;
      activity.instance.errorBytes += growth;
      hold(activity.instance, 0, growth);
    }
  }

  /**
   * Charges an instance for the heap bytes of the error with which it will end when all is
   * compensated, if it will. That charge is no part of the instance's state.
   */
  void chargePendingEnd(Instance instance) {
    PendingEnd pendingEnd = instance.pendingEnd();
    if (pendingEnd != null) {
      long heapBytes = pendingEnd.error().heapBytes();
      instance.errorBytes += heapBytes;
      hold(instance, 0, heapBytes);
    }
  }

  /**
   * Charges an instance for the values that the compensation of a completed task will see; returns
   * whether there was room.
   */
  boolean chargeCompleted(Instance instance, CompletedTask task) {
    task.charge();
    share.add(BYTES_OF_COMPLETED);
    hold(instance, task.heldBytes(), task.heldHeapBytes());
    return !roomCheck.isFull(instance);
  }

  /** Releases the charge for a completed task. */
  void releaseCompleted(Instance instance, CompletedTask task) {
    share.add(-BYTES_OF_COMPLETED);
    hold(instance, -task.heldBytes(), -task.heldHeapBytes());
    task.discharge();
  }

  private static long bytesOfCompleted(Instance instance) {
    Compensations compensations = instance.compensations;
    return compensations == null ? 0 : (long) BYTES_OF_COMPLETED * compensations.tasks().size();
  }

  private void charge(Activity activity, long bytes, long heapBytes) {
    addHeld(activity, bytes, heapBytes);
    requireRoom(activity);
  }

  /**
   * Unpacks the values of an instance before it is used. Charges it anew if its charge has changed
   * much or was made within a step, and enough room checks pay for that.
   */
  public void wake(Instance instance) {
    valuePacking.unpack(instance);
    roomCheck.wake(instance);
  }

  /**
   * Lets an instance wait. If it may hold more than its charge, since its parts released their
   * shares of what others still hold, it is charged anew at once: it may wait for long.
   */
  public void rest(Instance instance) {
    roomCheck.rest(instance);
    valuePacking.onIdle(instance);
  }

  /** Counts a value on its way to a client; returns what was counted. */
  long carry(Payload value) {
    return heap.beginTransfer(value);
  }

  /** Error of an instance that needs more than there is room for. */
  WorkflowError exceededError() {
    return InstanceQuota.exceeded("twice kernel.maxHeldBytes", bound);
  }

  /**
   * Transfers the charge for a branch's current value, an activity's raw input, to the activity,
   * which keeps that input.
   */
  void transferToActivity(Activity activity) {
    Branch branch = activity.branch;
    activity.heldBytes += branch.heldValue;
    activity.heldHeapBytes += branch.heapValue;
    branch.heldValue = 0;
    branch.heapValue = 0;
  }

  /**
   * Charges a branch for its new current value instead of the old one; returns whether there was
   * room.
   */
  boolean chargeBranch(Branch branch, Instance instance, Payload current) {
    Payload context = branch.hasExported() ? branch.context() : null;
    long held = branch.heldValue + branch.heldContext;
    long heapHeld = branch.heapValue + branch.heapContext;
    branch.heldValue = current.weight();
    branch.heapValue = current.heapBytes();
    branch.heldContext = context == null ? 0 : context.weight();
    branch.heapContext = context == null ? 0 : context.heapBytes();
    long growth = branch.heldValue + branch.heldContext - held;
    hold(instance, growth, branch.heapValue + branch.heapContext - heapHeld);
    return growth <= 0 || !roomCheck.isFull(instance);
  }

  /** Releases the charge of a branch for its current value, which nothing keeps. */
  void releaseValue(Branch branch, Instance instance) {
    hold(instance, -branch.heldValue, -branch.heapValue);
    branch.heldValue = 0;
    branch.heapValue = 0;
  }

  /** Releases the charges of an activity and of the branches it made. */
  void release(Activity activity) {
    releaseCall(activity);
    chargeError(activity, 0);
    long bytes = activity.heldBytes;
    long heapBytes = activity.heldHeapBytes;
    activity.heldBytes = 0;
    activity.heldHeapBytes = 0;
    for (Branch branch : activity.branches) {
      bytes += branch.heldValue + branch.heldContext;
      heapBytes += branch.heapValue + branch.heapContext;
      branch.heldValue = 0;
      branch.heldContext = 0;
      branch.heapValue = 0;
      branch.heapContext = 0;
    }
    if (bytes != 0 || heapBytes != 0) {
      hold(activity.instance, -bytes, -heapBytes);
    }
  }
}
