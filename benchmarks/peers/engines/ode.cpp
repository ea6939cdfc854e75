// The Open Dynamics Engine: QuickStep by default, the step with the big matrix at best.
#include <ode/ode.h>

#include "native.hpp"

using peers::Vec;

namespace {

class Ode {
 public:
  explicit Ode(const peers::Scene& scene)
      : scene_(scene), world_(dWorldCreate()), space_(dSimpleSpaceCreate(nullptr)), contacts_(dJointGroupCreate(0)) {
    dWorldSetGravity(world_, scene.gravity[0], scene.gravity[1], scene.gravity[2]);
    if (scene.floor) dCreatePlane(space_, 0, 0, 1, 0);
    for (const auto& body : scene.bodies) {
      dBodyID made = dBodyCreate(world_);
      dMass mass;
      if (body.sphere) dMassSetSphereTotal(&mass, body.mass, body.radius);
      else dMassSetBoxTotal(&mass, body.mass, 2 * body.half[0], 2 * body.half[1], 2 * body.half[2]);
      dBodySetMass(made, &mass);
      dBodySetPosition(made, body.position[0], body.position[1], body.position[2]);
      dGeomID shape = body.sphere ? dCreateSphere(space_, body.radius)
                                  : dCreateBox(space_, 2 * body.half[0], 2 * body.half[1], 2 * body.half[2]);
      dGeomSetBody(shape, made);
      if (body.only_x) {
        dJointID slider = dJointCreateSlider(world_, nullptr);
        dJointAttach(slider, made, nullptr);
        dJointSetSliderAxis(slider, 1, 0, 0);
      }
      bodies_.push_back(made);
    }
    for (const auto& joint : scene.joints) {
      dJointID hinge = dJointCreateHinge(world_, nullptr);
      dJointAttach(hinge, bodies_[joint.body], nullptr);
      dJointSetHingeAnchor(hinge, joint.at[0], joint.at[1], joint.at[2]);
      dJointSetHingeAxis(hinge, joint.axis[0], joint.axis[1], joint.axis[2]);
      dJointSetHingeParam(hinge, dParamVel, 0);
      dJointSetHingeParam(hinge, dParamFMax, joint.torque);
    }
  }
  void set(int body, const Vec& v, const Vec& w) {
    dBodySetLinearVel(bodies_[body], v[0], v[1], v[2]);
    dBodySetAngularVel(bodies_[body], w[0], w[1], w[2]);
  }
  void push(int body, const Vec& f) { dBodyAddForce(bodies_[body], f[0], f[1], f[2]); }
  void step() {
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<Ode*>(self)->touch(a, b); });
    if (scene_.best) dWorldStep(world_, scene_.h);
    else dWorldQuickStep(world_, scene_.h);
    dJointGroupEmpty(contacts_);
  }
  peers::State read(int body) const {
    const dReal* p = dBodyGetPosition(bodies_[body]);
    const dReal* q = dBodyGetQuaternion(bodies_[body]);
    const dReal* v = dBodyGetLinearVel(bodies_[body]);
    const dReal* w = dBodyGetAngularVel(bodies_[body]);
    return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
  }

 private:
  void touch(dGeomID a, dGeomID b) {
    dContact contact[8] = {};
    const int count = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      // Without dContactApprox1 mu is a force, not a coefficient.
      contact[i].surface.mode = dContactApprox1 | dContactBounce;
      contact[i].surface.mu = scene_.mu;
      contact[i].surface.bounce = scene_.e;
      contact[i].surface.bounce_vel = scene_.best ? 1e-3 : 0.1;
      if (scene_.best) turn_to_slip(contact[i], a, b);
      dJointAttach(dJointCreateContact(world_, contacts_, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
  }

  // The friction pyramid is exact along fdir1: it is turned to where the contact slips.
  static void turn_to_slip(dContact& contact, dGeomID a, dGeomID b) {
    const dReal* p = contact.geom.pos;
    const dReal* n = contact.geom.normal;
    dVector3 va = {}, vb = {}, slip;
    if (dGeomGetBody(a)) dBodyGetPointVel(dGeomGetBody(a), p[0], p[1], p[2], va);
    if (dGeomGetBody(b)) dBodyGetPointVel(dGeomGetBody(b), p[0], p[1], p[2], vb);
    for (int k = 0; k < 3; ++k) slip[k] = va[k] - vb[k];
    const dReal along = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2];
    for (int k = 0; k < 3; ++k) slip[k] -= along * n[k];
    const dReal speed = std::hypot(slip[0], slip[1], slip[2]);
    if (speed < 1e-6) return;
    contact.surface.mode |= dContactFDir1;
    for (int k = 0; k < 3; ++k) contact.fdir1[k] = slip[k] / speed;
  }

  const peers::Scene& scene_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

int main(int argc, char**) {
  if (argc > 1) return std::printf("%s\n", dGetConfiguration()), 0;
  dInitODE();
  const auto scene = peers::read_scene();
  Ode engine(scene);
  peers::play(scene, engine);
  dCloseODE();
}
