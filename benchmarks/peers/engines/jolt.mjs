// Jolt Physics, from npm, single precision.
import { createRequire } from 'node:module';
import { play } from './trace.mjs';

export const name = 'Jolt';
export const precision = 'single';

export const settings = [
  { name: 'default', text: 'physics settings and damping of bodies (0.05 1/s) as they are, one collision step; boxes have no convex radius, as the default one is larger than some of them' },
  {
    name: 'best',
    text: 'no damping of bodies, 100 velocity steps, 20 position steps, penetration slop 1e-5 m, speculative contact distance 1e-3 m, restitution from 1e-3 m/s on',
  },
];

let Jolt;
export async function load() {
  Jolt = await (await import('jolt-physics')).default();
  return createRequire(import.meta.url)('jolt-physics/package.json').version;
}

export function run(scene, h, setting) {
  const best = setting == 'best';
  const settings = new Jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  // Two layers: 0 does not move, 1 does.
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(0, 1);
  pairs.EnableCollision(1, 1);
  const broad = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  broad.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
  broad.MapObjectToBroadPhaseLayer(1, new Jolt.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2);
  const jolt = new Jolt.JoltInterface(settings);
  Jolt.destroy(settings);
  const system = jolt.GetPhysicsSystem();
  const bodies = system.GetBodyInterface();
  system.SetGravity(new Jolt.Vec3(...scene.gravity));
  if (best) {
    const physics = system.GetPhysicsSettings();
    physics.mNumVelocitySteps = 100;
    physics.mNumPositionSteps = 20;
    physics.mPenetrationSlop = 1e-5;
    physics.mSpeculativeContactDistance = 1e-3;
    physics.mMinVelocityForRestitution = 1e-3;
    system.SetPhysicsSettings(physics);
  }
  const make = (shape, position, moves, more) => {
    const creation = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(...position), new Jolt.Quat(0, 0, 0, 1), moves ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static, moves ? 1 : 0);
    creation.mFriction = scene.mu;
    creation.mRestitution = scene.e ?? 0;
    more?.(creation);
    const body = bodies.CreateBody(creation);
    Jolt.destroy(creation);
    bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
    return body;
  };
  // Boxes with sharp edges: the convex radius is for speed.
  const block = (half) => new Jolt.BoxShape(new Jolt.Vec3(...half), 0, null);
  if (scene.floor) make(block([20, 20, 1]), [0, 0, -1], false);
  const made = new Map();
  for (const body of scene.bodies) {
    made.set(body.name, make(body.radius ? new Jolt.SphereShape(body.radius, null) : block(body.half), body.position, true, (creation) => {
      creation.mAllowSleeping = false;
      creation.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
      creation.mMassPropertiesOverride.mMass = body.mass;
      if (body.free == 'x') creation.mAllowedDOFs = Jolt.EAllowedDOFs_TranslationX;
      if (best) creation.mLinearDamping = creation.mAngularDamping = 0;
    }));
  }
  if (scene.joint) {
    const { at, axis, torque, body } = scene.joint;
    const hinge = new Jolt.HingeConstraintSettings();
    hinge.mPoint1 = hinge.mPoint2 = new Jolt.RVec3(...at);
    hinge.mHingeAxis1 = hinge.mHingeAxis2 = new Jolt.Vec3(...axis);
    hinge.mNormalAxis1 = hinge.mNormalAxis2 = new Jolt.Vec3(1, 0, 0);
    hinge.mMaxFrictionTorque = torque;
    system.AddConstraint(hinge.Create(Jolt.JoltInterface.prototype.sGetFixedToWorldBody(), made.get(body)));
  }
  const vector = new Jolt.Vec3(0, 0, 0);
  const trace = play(scene, h, {
    set: (body, velocity, spin) => {
      vector.Set(...velocity);
      made.get(body.name).SetLinearVelocity(vector);
      vector.Set(...spin);
      made.get(body.name).SetAngularVelocity(vector);
    },
    push: (body, force) => {
      vector.Set(...force);
      made.get(body.name).AddForce(vector);
    },
    step: () => jolt.Step(h, 1),
    read: (body) => {
      const one = made.get(body.name);
      // Each call may give the same object: read it before the next one.
      const three = (v) => [v.GetX(), v.GetY(), v.GetZ()];
      const p = three(one.GetCenterOfMassPosition());
      const r = one.GetRotation();
      const q = [r.GetW(), r.GetX(), r.GetY(), r.GetZ()];
      return [...p, ...q, ...three(one.GetLinearVelocity()), ...three(one.GetAngularVelocity())];
    },
  });
  Jolt.destroy(jolt);
  return trace;
}
